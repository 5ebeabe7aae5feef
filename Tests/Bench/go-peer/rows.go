package main

import "time"

type session struct {
	ID, Staff               [16]byte
	Email, Name             string
	Role, Theme             string
	Language                *string
	Shortcuts               bool
	SeenAt, AuthenticatedAt time.Time
	App                     [16]byte
	Slug, AppName, Zone     string
	SeesAll                 bool
	IDs                     [][16]byte
	Slugs, Names            []string
	Failed, Waiting         int64
}

type view struct {
	ID                         [16]byte
	List, Name, Query, Columns string
	IsShared                   bool
	Owner                      [16]byte
	OwnerName                  string
}

type order struct {
	ID                                                [16]byte
	Number, Status, Store, Environment, Product, Plan string
	Amount                                            int64
	Currency                                          string
	Purchased                                         time.Time
	Key                                               string
	Name, Email                                       *string
}

// The places for a row's columns, by name.
type places map[string]interface{}

func (s *session) places() places {
	return places{
		"id": &s.ID, "staff": &s.Staff, "email": &s.Email, "name": &s.Name, "role": &s.Role, "theme": &s.Theme,
		"language": &s.Language, "shortcuts": &s.Shortcuts, "seen": &s.SeenAt, "authenticated": &s.AuthenticatedAt,
		"app": &s.App, "slug": &s.Slug, "app name": &s.AppName, "zone": &s.Zone, "sees all": &s.SeesAll,
		"apps": &s.IDs, "slugs": &s.Slugs, "names": &s.Names, "failed": &s.Failed, "waiting": &s.Waiting}
}

func (v *view) places() places {
	return places{
		"id": &v.ID, "list": &v.List, "name": &v.Name, "query": &v.Query, "columns": &v.Columns, "shared": &v.IsShared,
		"owner": &v.Owner, "owner name": &v.OwnerName}
}

func (o *order) places() places {
	return places{
		"id": &o.ID, "number": &o.Number, "status": &o.Status, "store": &o.Store, "environment": &o.Environment,
		"product": &o.Product, "plan": &o.Plan, "amount": &o.Amount, "currency": &o.Currency, "purchased": &o.Purchased,
		"key": &o.Key, "name": &o.Name, "email": &o.Email}
}
