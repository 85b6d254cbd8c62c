"""Command language: the parser of mails into commands and complaints."""
