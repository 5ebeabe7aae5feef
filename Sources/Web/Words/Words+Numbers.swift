extension Words {
    /// "1,284" in English and Chinese, "1.284" in Turkish.
    func number(_ number: Int) -> String {
        MoneyText.grouped(String(number.magnitude), isNegative: number < 0)
    }
}
