"""A Java that fits, and the jars that it runs."""
