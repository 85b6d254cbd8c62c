"""Command language: parses the lines of a mail into commands or complaints."""
