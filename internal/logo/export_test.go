package logo

// Orientation is what the file says; 1 where it is of no format that is taken.
func Orientation(file []byte) int {
	for _, f := range formats {
		if f.fits(file) {
			return orientation(f.exif(file))
		}
	}
	return upright
}
