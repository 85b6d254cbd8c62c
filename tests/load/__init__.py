"""Load test of a judge with many games and traffic around a full hour."""
