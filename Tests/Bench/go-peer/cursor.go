package main

import (
	"encoding/base64"
	"encoding/binary"
)

// A page marker of the product: kind, microseconds, rows before, key.
type cursor struct {
	micros     int64
	rowsBefore uint32
	id         [16]byte
}

func readCursor(text string) (cursor, bool) {
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(raw) != 29 || raw[0] != 1 {
		return cursor{}, false
	}
	c := cursor{micros: int64(binary.BigEndian.Uint64(raw[1:])), rowsBefore: binary.BigEndian.Uint32(raw[9:])}
	copy(c.id[:], raw[13:])
	return c, true
}

func (c cursor) text() string {
	raw := make([]byte, 29)
	raw[0] = 1
	binary.BigEndian.PutUint64(raw[1:], uint64(c.micros))
	binary.BigEndian.PutUint32(raw[9:], c.rowsBefore)
	copy(raw[13:], c.id[:])
	return base64.RawURLEncoding.EncodeToString(raw)
}
