"""Parser of stored mails: parts, text without quotes, sender, automatic mail."""
