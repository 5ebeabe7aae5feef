// The order list as one would write it in Go: net/http, pgx, html/template. Same statements, rows, columns and layout.
package main

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html/template"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v4/pgxpool"
)

//go:embed orders.html
var source string

// A statement with what each of its parameters stands for.
type statement struct {
	Text       string
	Parameters []string
}

type session struct {
	Staff, Email, Name, Role, Theme string
	SeenAt                          time.Time
	App, Slug, AppName, Zone        string
	Slugs, Names                    []string
	Failed                          int64
}

type order struct {
	ID                                                [16]byte
	Number, Status, Store, Environment, Product, Plan string
	Amount                                            int64
	Currency                                          string
	Purchased                                         time.Time
	CustomerID                                        [16]byte
	Key                                               string
	Name, Email                                       *string
}

type page struct {
	Session              session
	Token, Title, Status string
	Range, Label         string
	Path                 string
	Previous, Next       string
	Orders               []order
	Now                  time.Time
	zone                 *time.Location
}

type tab struct{ Label, Status string }

var tabs = []tab{{"All", ""}, {"Completed", "completed"}, {"Pending", "pending"}, {"Partly refunded", "partially_refunded"},
	{"Refunded", "refunded"}, {"Failed", "failed"}, {"Cancelled", "cancelled"}}

var words = map[string][2]string{"pending": {"Pending", "pending"}, "completed": {"Completed", "completed"},
	"partially_refunded": {"Partly refunded", "partial"}, "refunded": {"Refunded", "refunded"},
	"failed": {"Failed", "failed"}, "cancelled": {"Cancelled", "cancelled"}}

var zones sync.Map

func location(name string) *time.Location {
	if zone, ok := zones.Load(name); ok {
		return zone.(*time.Location)
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		zone = time.UTC
	}
	zones.Store(name, zone)
	return zone
}

func grouped(number int64) string {
	digits := strconv.FormatInt(number, 10)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

func (p *page) Money(minor int64) string {
	return grouped(minor/100) + "." + fmt.Sprintf("%02d", minor%100)
}
func (p *page) ISO(at time.Time) string    { return at.In(p.zone).Format("2006-01-02T15:04:05-07:00") }
func (p *page) UTC(at time.Time) string    { return at.UTC().Format("2006-01-02 15:04:05 UTC") }
func (p *page) Day(at time.Time) string    { return at.In(p.zone).Format("2 Jan 2006") }
func (p *page) Clock(at time.Time) string  { return at.In(p.zone).Format("15:04") }
func (p *page) Word(status string) string  { return words[status][0] }
func (p *page) Shape(status string) string { return words[status][1] }
func (p *page) Tabs() []tab                { return tabs }

func (o order) Customer() string {
	if o.Name != nil {
		return *o.Name
	}
	if o.Email != nil {
		return *o.Email
	}
	return o.Key
}

func formToken(secret []byte) string {
	mask := make([]byte, 32)
	rand.Read(mask)
	code := hmac.New(sha256.New, secret)
	code.Write([]byte("perennial form token"))
	sum := code.Sum(nil)
	for i := range sum {
		sum[i] ^= mask[i]
	}
	return hex.EncodeToString(append(mask, sum...))
}

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

func arguments(s statement, values map[string]interface{}) []interface{} {
	list := make([]interface{}, len(s.Parameters))
	for i, name := range s.Parameters {
		list[i] = values[name]
	}
	return list
}

type site struct {
	pool          *pgxpool.Pool
	session, list statement
	page          *template.Template
	buffers       sync.Pool
}

func (s *site) find(ctx context.Context, token []byte) (found session, err error) {
	hash := sha256.Sum256(token)
	now := time.Now()
	row := s.pool.QueryRow(ctx, s.session.Text, arguments(s.session, map[string]interface{}{
		"hash": hash[:], "now": now, "idle": now.Add(-12 * time.Hour)})...)
	err = row.Scan(&found.Staff, &found.Email, &found.Name, &found.Role, &found.Theme, &found.SeenAt, &found.App, &found.Slug,
		&found.AppName, &found.Zone, &found.Slugs, &found.Names, &found.Failed)
	return
}

func (s *site) orders(w http.ResponseWriter, r *http.Request) {
	cookie, err := r.Cookie("perennial")
	if err != nil {
		http.Error(w, "sign in first", 401)
		return
	}
	token, err := hex.DecodeString(cookie.Value)
	if err != nil || len(token) != 32 {
		http.Error(w, "sign in first", 401)
		return
	}
	who, err := s.find(r.Context(), token)
	if err != nil {
		http.Error(w, "sign in first", 401)
		return
	}
	query := r.URL.Query()
	after, ok := readCursor(query.Get("after"))
	status := query.Get("status")
	if !ok || words[status][0] == "" {
		http.Error(w, "no such page", 400)
		return
	}
	rows, err := s.pool.Query(r.Context(), s.list.Text, arguments(s.list, map[string]interface{}{
		"app": who.App, "status": status, "before": time.UnixMicro(after.micros), "id": after.id})...)
	if err != nil {
		http.Error(w, err.Error(), 500)
		return
	}
	defer rows.Close()
	p := page{Session: who, Token: formToken(token), Status: status, Path: r.URL.RequestURI(), Now: time.Now(), zone: location(who.Zone),
		Orders: make([]order, 0, 26)}
	for rows.Next() {
		var o order
		if err := rows.Scan(&o.ID, &o.Number, &o.Status, &o.Store, &o.Environment, &o.Product, &o.Plan, &o.Amount, &o.Currency,
			&o.Purchased, &o.CustomerID, &o.Key, &o.Name, &o.Email); err != nil {
			http.Error(w, err.Error(), 500)
			return
		}
		p.Orders = append(p.Orders, o)
	}
	if err := rows.Err(); err != nil {
		http.Error(w, err.Error(), 500)
		return
	}
	hasMore := len(p.Orders) > 25
	if hasMore {
		p.Orders = p.Orders[:25]
	}
	if count := len(p.Orders); count > 0 {
		first, last := p.Orders[0], p.Orders[count-1]
		p.Previous = cursor{first.Purchased.UnixMicro(), after.rowsBefore, first.ID}.text()
		if hasMore {
			p.Next = cursor{last.Purchased.UnixMicro(), after.rowsBefore + uint32(count), last.ID}.text()
		}
		p.Range = grouped(int64(after.rowsBefore)+1) + "–" + grouped(int64(after.rowsBefore)+int64(count)) + " of 10,000+"
	}
	p.Label = words[status][0]
	p.Title = "Orders, " + strings.ToLower(p.Label) + " (" + p.Range + ")"
	b := s.buffers.Get().(*bytes.Buffer)
	defer s.buffers.Put(b)
	b.Reset()
	if err := s.page.Execute(b, &p); err != nil {
		http.Error(w, err.Error(), 500)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(b.Len()))
	w.Header().Set("Cache-Control", "no-store")
	w.Write(b.Bytes())
}

func load(name string) (s statement) {
	if err := json.Unmarshal([]byte(os.Getenv(name)), &s); err != nil {
		log.Fatal(name, ": ", err)
	}
	return
}

func main() {
	config, err := pgxpool.ParseConfig(os.Getenv("PEER_DATABASE"))
	if err != nil {
		log.Fatal(err)
	}
	connections, _ := strconv.Atoi(os.Getenv("PEER_CONNECTIONS"))
	config.MaxConns, config.MinConns = int32(connections), int32(connections)
	pool, err := pgxpool.ConnectConfig(context.Background(), config)
	if err != nil {
		log.Fatal(err)
	}
	s := &site{pool: pool, session: load("PEER_SESSION"), list: load("PEER_LIST"),
		page:    template.Must(template.New("orders").Parse(source)),
		buffers: sync.Pool{New: func() any { return new(bytes.Buffer) }}}
	http.HandleFunc("/dashboard/orders", s.orders)
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PEER_PORT"), nil))
}
