"""The letters of the judge as jinja2 templates and sentence tables; read through `judge.mail.render`."""
