package main

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"
)

// The page's finished text and flags: methods called by a template cost several times as much.
type page struct {
	Title, AppName, ZoneName, ZoneLabel, PersonName, Role string
	Theme                                                 string
	Shortcuts, HasBulk, HasMetrics                        bool
	MaySeeAudit, MaySeeStaff                              bool
	Waiting, Failed                                       string
	Token, Path, Printed, Range                           string
	Status, Label                                         string
	ExportHref, ExportLabel, SaveHref                     string
	AmountHref, CreatedHref, Previous, Next               string
	Languages, Apps, Tabs, Views, Choices                 []choice
	Shows                                                 shown
	Orders                                                []row
}

// A language, app, tab, view or column to choose.
type choice struct {
	Tag, Slug, Name, Label, Href string
	Current, Shown               bool
}

type shown struct{ Customer, Product, Plan, Amount, Status, Store, Created bool }

type row struct {
	Href, Number, Customer, Detail           string
	IsKey                                    bool
	Product, Plan, Amount, Currency          string
	Shape, Word, Store, ISO, UTC, Day, Clock string
	IsSandbox                                bool
}

type status struct{ word, shape string }

var words = map[string]status{"pending": {"Pending", "pending"}, "completed": {"Completed", "completed"},
	"partially_refunded": {"Partially refunded", "partial"}, "refunded": {"Refunded", "refunded"},
	"superseded": {"Superseded", "completed"}, "failed": {"Failed", "failed"}, "cancelled": {"Cancelled", "cancelled"}}

var stores = map[string]string{"apple": "Apple", "google": "Google", "wechat": "WeChat Pay", "alipay": "Alipay"}

func newPage(who session, token []byte, status string, after cursor, views []view, columns string, orders []order) *page {
	zone, now := location(who.Zone), time.Now()
	label := words[status].word
	query := "?status=" + status
	p := &page{AppName: who.AppName, ZoneName: who.Zone, ZoneLabel: offset(now.In(zone)), PersonName: who.Name,
		Role: who.Role, Shortcuts: who.Shortcuts, HasBulk: who.Role != "analyst", HasMetrics: who.Role != "support", MaySeeAudit: who.Role == "admin",
		MaySeeStaff: who.Role == "admin" && who.SeesAll, Waiting: count(who.Waiting), Failed: count(who.Failed),
		Token: formToken(token), Path: "/dashboard/orders" + query + "&after=" + after.text(), Status: status,
		Label: label, ExportHref: "/dashboard/exports/orders" + query, ExportLabel: "Export CSV (more than 10,000 rows)",
		AmountHref: "/dashboard/orders" + query + "&sort=amount", CreatedHref: "/dashboard/orders" + query + "&dir=asc",
		Shows: showing(columns), Orders: make([]row, 0, 25)}
	if who.Theme != "system" {
		p.Theme = who.Theme
	}
	p.chooseAmong(who, status, views, columns)
	hasMore := len(orders) > 25
	if hasMore {
		orders = orders[:25]
	}
	suffix := "?from=" + url.QueryEscape(p.Path)
	for i := range orders {
		p.Orders = append(p.Orders, newRow(&orders[i], zone, suffix))
	}
	if count := len(orders); count > 0 {
		first, last := orders[0], orders[count-1]
		p.Previous = "/dashboard/orders" + query + "&before=" +
			cursor{first.Purchased.UnixMicro(), after.rowsBefore, first.ID}.text()
		if hasMore {
			p.Next = "/dashboard/orders" + query + "&after=" +
				cursor{last.Purchased.UnixMicro(), after.rowsBefore + uint32(count), last.ID}.text()
		}
		before := int64(after.rowsBefore)
		p.Range = grouped(before+1) + "–" + grouped(before+int64(count)) + " of 10,000+"
	}
	p.Title = "Orders, " + strings.ToLower(label) + " (" + p.Range + ")"
	p.Range += " · newest first"
	moment := now.In(zone)
	p.Printed = who.AppName + " · " + who.Name + ", " + who.Role + " · " + p.Path + " · " +
		moment.Format("2 Jan 2006 15:04") + " " + p.ZoneLabel
	return p
}

func (p *page) chooseAmong(who session, status string, views []view, columns string) {
	spoken := "en"
	if who.Language != nil {
		spoken = *who.Language
	}
	for _, language := range []choice{{Tag: "en", Name: "English"}, {Tag: "zh-Hans", Name: "简体中文"}, {Tag: "tr", Name: "Türkçe"}} {
		language.Current = language.Tag == spoken
		p.Languages = append(p.Languages, language)
	}
	if len(who.Slugs) > 1 {
		for i, slug := range who.Slugs {
			p.Apps = append(p.Apps, choice{Slug: slug, Name: who.Names[i], Current: slug == who.Slug})
		}
	}
	for _, key := range []string{"", "completed", "pending", "partially_refunded", "refunded", "superseded", "failed", "cancelled"} {
		tab := choice{Label: "All", Href: "/dashboard/orders", Current: key == status}
		if key != "" {
			tab.Label, tab.Href = words[key].word, tab.Href+"?status="+key
		}
		p.Tabs = append(p.Tabs, tab)
	}
	isView := false
	for _, v := range views {
		found := choice{Label: v.Name, Href: "/dashboard/orders" + v.Query, Current: v.Query == "?status="+status && v.Columns == columns}
		if v.Owner != who.Staff {
			found.Label += " (" + v.OwnerName + ")"
		}
		isView = isView || found.Current
		p.Views = append(p.Views, found)
	}
	if !isView {
		p.SaveHref = "/dashboard/views/new?list=orders&columns=" + columns + "&status=" + status
	}
	p.Choices = []choice{{Name: "amount", Label: "Amount", Shown: p.Shows.Amount},
		{Name: "status", Label: "Status", Shown: p.Shows.Status}, {Name: "customer", Label: "Customer", Shown: p.Shows.Customer},
		{Name: "product", Label: "Product", Shown: p.Shows.Product}, {Name: "plan", Label: "Plan", Shown: p.Shows.Plan},
		{Name: "store", Label: "Store", Shown: p.Shows.Store}, {Name: "created", Label: "Created", Shown: p.Shows.Created}}
}

func showing(columns string) (s shown) {
	if columns == "all" {
		return shown{true, true, true, true, true, true, true}
	}
	for _, name := range strings.Split(columns, ".") {
		switch name {
		case "customer":
			s.Customer = true
		case "product":
			s.Product = true
		case "plan":
			s.Plan = true
		case "amount":
			s.Amount = true
		case "status":
			s.Status = true
		case "store":
			s.Store = true
		case "created":
			s.Created = true
		}
	}
	return
}

func newRow(o *order, zone *time.Location, suffix string) row {
	at := o.Purchased.In(zone)
	r := row{Href: "/dashboard/orders/" + o.Number + suffix, Number: o.Number, Customer: o.Key, Product: o.Product,
		Plan: o.Plan, Amount: money(o.Amount), Currency: o.Currency, Shape: words[o.Status].shape, Word: words[o.Status].word,
		Store: stores[o.Store], IsSandbox: o.Environment == "sandbox", ISO: at.Format("2006-01-02T15:04:05-07:00"),
		UTC: o.Purchased.UTC().Format("2006-01-02 15:04:05 UTC"), Day: at.Format("2 Jan 2006"), Clock: at.Format("15:04")}
	switch {
	case o.Name != nil && o.Email != nil:
		r.Customer, r.Detail = *o.Name, *o.Email
	case o.Name != nil:
		r.Customer = *o.Name
	case o.Email != nil:
		r.Customer = *o.Email
	default:
		r.IsKey = true
	}
	return r
}

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

func offset(at time.Time) string {
	_, seconds := at.Zone()
	if seconds%3600 != 0 {
		return fmt.Sprintf("UTC%+d:%02d", seconds/3600, seconds/60%60)
	}
	return fmt.Sprintf("UTC%+d", seconds/3600)
}

func grouped(number int64) string {
	digits := strconv.FormatInt(number, 10)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

func money(minor int64) string {
	cents := strconv.FormatInt(100+minor%100, 10)
	return grouped(minor/100) + "." + cents[1:]
}

func count(number int64) string {
	switch {
	case number == 0:
		return ""
	case number > 99:
		return "99+"
	}
	return strconv.FormatInt(number, 10)
}

func sha(bytes []byte) []byte {
	sum := sha256.Sum256(bytes)
	return sum[:]
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
