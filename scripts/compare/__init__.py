"""The same problems with this program and with other ones: CPU seconds, memory and error. See docs/comparing.md."""
