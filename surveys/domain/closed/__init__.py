"""What is published of a closed survey, and how a survey is erased."""
