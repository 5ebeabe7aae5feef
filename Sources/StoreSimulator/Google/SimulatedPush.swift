package import Foundation
package import Gateways

/// A real-time developer notification that the simulated Pub/Sub has to deliver.
package struct SimulatedPush: Sendable {
    package var id: String
    package var notification: JSON
    package var publishedAt: Date
    /// The number of attempts.
    package var attempts = 0
    package var isDelivered = false
    /// When it is pushed again; nil for at once.
    var dueAt: Date?

    /// As it is pushed, with each member's name in both ways of writing.
    package func body(subscription: String) -> String {
        let time = JSON.google(publishedAt)
        let json: JSON = [
            "message": [
                "attributes": [:], "data": .string(Data(notification.bytes).base64EncodedString()),
                "messageId": .string(id), "message_id": .string(id), "publishTime": time, "publish_time": time,
            ],
            "subscription": .string(subscription),
        ]
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
