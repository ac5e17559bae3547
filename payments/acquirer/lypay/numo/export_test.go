package numo

// CRC is the bare checksum.
var CRC = crc
