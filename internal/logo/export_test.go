package logo

// Orientation is that of a file; 1 if the file has none of the accepted formats.
func Orientation(file []byte) int {
	for _, f := range formats {
		if f.fits(file) {
			return orientation(f.exif(file))
		}
	}
	return upright
}
