import APITypes

extension Problem {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("type", type)
            json.field("title", title)
            json.field("status", status)
            json.field("detail", detail)
            json.field("instance", instance)
            json.field("requestId", requestId)
            json.name("errors")
            json.array(errors) { json, error in
                json.object { json in
                    json.field("field", error.field)
                    json.field("reason", error.reason)
                }
            }
        }
    }
}
