"""The files of a snapshot that leave the site: columns, formats, the codebook, and what they tell of people."""
