// Serves the order list as one would write it in Go: net/http, pgx, html/template. Same statements, rows, columns and layout.
package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"html/template"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/jackc/pgx/v4"
	"github.com/jackc/pgx/v4/pgxpool"
)

//go:embed orders.html
var source string

// A statement with the meanings of its parameters and columns; "" is a column that the page does not show.
type statement struct {
	Text       string
	Parameters []string
	Columns    []string
}

func (s statement) arguments(values map[string]interface{}) []interface{} {
	list := make([]interface{}, len(s.Parameters))
	for i, name := range s.Parameters {
		list[i] = values[name]
	}
	return list
}

// Returns the place for each column of a row; a column without one is not read.
func (s statement) into(known places) []interface{} {
	list := make([]interface{}, len(s.Columns))
	for i, name := range s.Columns {
		list[i] = known[name]
	}
	return list
}

type site struct {
	pool                          *pgxpool.Pool
	session, views, columns, list statement
	page                          *template.Template
	buffers                       sync.Pool
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
	if !ok || words[status].word == "" {
		http.Error(w, "no such page", 400)
		return
	}
	views, columns, orders, err := s.read(r.Context(), who, status, after)
	if err != nil {
		http.Error(w, err.Error(), 500)
		return
	}
	p := newPage(who, token, status, after, views, columns, orders)
	b := s.buffers.Get().(*bytes.Buffer)
	defer s.buffers.Put(b)
	b.Reset()
	if err := s.page.Execute(b, p); err != nil {
		http.Error(w, err.Error(), 500)
		return
	}
	header := w.Header()
	for _, field := range fields {
		header[field.name] = field.value
	}
	header.Set("Content-Length", strconv.Itoa(b.Len()))
	w.Write(b.Bytes())
}

func (s *site) find(ctx context.Context, token []byte) (found session, err error) {
	hash := sha(token)
	now := time.Now()
	row := s.pool.QueryRow(ctx, s.session.Text, s.session.arguments(map[string]interface{}{
		"hash": hash, "now": now, "idle": now.Add(-12 * time.Hour)})...)
	err = row.Scan(s.session.into(found.places())...)
	return
}

// The pattern of a view's query that names no person, as the product sends it.
var impersonal = os.Getenv("PEER_IMPERSONAL")

// Reads the page's data in one round trip.
func (s *site) read(ctx context.Context, who session, status string, after cursor) (
	views []view, columns string, orders []order, err error) {
	values := map[string]interface{}{
		"app": who.App, "staff": who.Staff, "lists": []string{"orders"}, "kind": "orders", "person": true,
		"impersonal": impersonal, "status": status, "before": time.UnixMicro(after.micros), "id": after.id}
	var batch pgx.Batch
	for _, one := range []statement{s.views, s.columns, s.list} {
		batch.Queue(one.Text, one.arguments(values)...)
	}
	results := s.pool.SendBatch(ctx, &batch)
	defer results.Close()
	rows, err := results.Query()
	if err != nil {
		return
	}
	var v view
	for into := s.views.into(v.places()); rows.Next(); {
		if err = rows.Scan(into...); err != nil {
			return
		}
		views = append(views, v)
	}
	choice := s.columns.into(places{"columns": &columns})
	if err = results.QueryRow().Scan(choice...); err == pgx.ErrNoRows {
		columns, err = "all", nil
	} else if err != nil {
		return
	}
	if rows, err = results.Query(); err != nil {
		return
	}
	orders = make([]order, 0, 26)
	var o order
	for into := s.list.into(o.places()); rows.Next(); {
		if err = rows.Scan(into...); err != nil {
			return
		}
		orders = append(orders, o)
	}
	return views, columns, orders, rows.Err()
}

// The headers of each answer, the same as the product's.
var fields = []struct {
	name  string
	value []string
}{
	{"Content-Type", []string{"text/html; charset=utf-8"}}, {"Content-Language", []string{"en"}},
	{"Vary", []string{"Accept-Encoding, Accept-Language, Cookie"}}, {"Cache-Control", []string{"no-store"}},
	{"Content-Security-Policy", []string{"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; " +
		"form-action 'self'; frame-ancestors 'none'; base-uri 'none'"}},
	{"X-Content-Type-Options", []string{"nosniff"}}, {"Referrer-Policy", []string{"same-origin"}},
	{"Cross-Origin-Opener-Policy", []string{"same-origin"}}, {"Cross-Origin-Resource-Policy", []string{"same-origin"}},
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
	s := &site{pool: pool,
		session: load("PEER_SESSION"), views: load("PEER_VIEWS"), columns: load("PEER_COLUMNS"), list: load("PEER_LIST"),
		page:    template.Must(template.New("orders").Parse(source)),
		buffers: sync.Pool{New: func() any { return new(bytes.Buffer) }}}
	http.HandleFunc("/dashboard/orders", s.orders)
	// Listens on a port that the system chooses.
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(http.Serve(listener, nil))
}
