"""What may be told of sealed responses, and the files that leave the site."""
