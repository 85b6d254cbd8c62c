"""What is remembered: games, seats, orders, history, and the letters in and out. All SQL is here.

Position, orders and outcomes pass through as text nobody in this room reads. Every function that
depends on the time is given it.
"""
