"""Letters to messages: templates filled, laid out, composed, limited in length, and sent."""
