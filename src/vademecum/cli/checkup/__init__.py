"""What `vademecum doctor` looks at, one file per subject."""
