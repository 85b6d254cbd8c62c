"""The letters of the judge: jinja2 templates and sentence tables, read by `judge.mail.render`."""
