"""What the database needs beside its rows: log and checkpoints, traces, damage, wrapped keys, leases."""
