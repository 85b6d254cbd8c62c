"""The order language of Yorktown: lines as players write them, read into orders."""
