"""One way to an estimate: a pattern becomes cells of records, and cells with their weights support and covariance."""
