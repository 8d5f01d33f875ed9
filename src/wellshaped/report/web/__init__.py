"""A report as one HTML file that loads nothing: for people, on screens, phones and paper."""
