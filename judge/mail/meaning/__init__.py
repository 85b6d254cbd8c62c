"""What the tree of a command means, subject by subject: values of `judge.words`."""
