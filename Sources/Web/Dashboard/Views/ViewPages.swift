import Operations
import Storage

/// The forms of saved views.
enum ViewPages {
    static func new(
        _ state: ListState,
        _ form: ViewForm,
        _ own: [SavedView],
        _ viewer: Viewer,
        key: String,
        error: OperationsError? = nil
    ) -> ActionPage {
        let words = viewer.words
        let updates = own.map { view in
            ActionPage.Fact(
                name: String(words.viewsFactInstead),
                value: words.viewsUpdateLink(name: view.name),
                href: "\(DashboardPath.view(view.id))\(state.text)&list=\(state.list.rawValue)"
            )
        }
        return ActionPage(
            frame: DashboardFrame(viewer, section: state.list.section, path: state.newViewPath),
            title: String(words.viewsNewTitle),
            subtitle: String(words.viewsNewText),
            back: ActionPage.Link(text: String(state.list.title(words)), href: state.path),
            facts: facts(state.list, state.columns, words) + updates,
            factsTitle: String(words.viewsKept),
            fields: fields(form, error, words),
            hidden: [
                .init(name: "list", value: state.list.rawValue), .init(name: "query", value: state.text),
                .newKey(key),
            ],
            method: .post,
            action: DashboardPath.views,
            submit: String(words.viewsSubmitNew),
            keep: ActionPage.Link(text: String(words.viewsKeepNew), href: state.path)
        )
    }

    /// - Parameter state: what the view would keep from now on; nil leaves it as it is.
    static func change(
        _ view: SavedView,
        to state: ListState? = nil,
        _ form: ViewForm,
        _ viewer: Viewer,
        key: String,
        error: OperationsError? = nil
    ) -> ActionPage {
        let words = viewer.words
        let path = DashboardPath.view(view.id)
        let deletion = ActionPage.Fact(
            name: String(words.viewsFactDelete),
            value: String(words.viewsDeleteLink),
            href: DashboardPath.viewDeletion(view.id)
        )
        let history = ActionPage.Fact(
            name: String(words.auditHistory),
            value: String(words.auditHistoryLink),
            href: DashboardPath.history(of: "view", "\(view.id)")
        )
        return ActionPage(
            frame: DashboardFrame(viewer, section: view.list.section, path: path),
            title: state == nil ? words.viewsChangeTitle(name: view.name) : words.viewsUpdateTitle(name: view.name),
            back: state.map { ActionPage.Link(text: String($0.list.title(words)), href: $0.path) } ?? back(view, words),
            changes: state.map { changes(from: view, to: $0, words) } ?? [],
            facts: facts(view.list, view.columns, words) + [deletion] + (viewer.may(.viewAudit) ? [history] : []),
            factsTitle: String(words.viewsKept),
            fields: fields(form, error, words),
            hidden: (state.map { [.init(name: "query", value: $0.text)] } ?? []) + [.newKey(key)],
            method: .post,
            action: path,
            submit: String(state == nil ? words.viewsSubmitChange : words.viewsSubmitUpdate),
            keep: ActionPage.Link(text: String(words.viewsKeepChange), href: state?.path ?? view.path)
        )
    }

    static func deletion(_ view: SavedView, _ viewer: Viewer, key: String) -> ActionPage {
        let words = viewer.words
        let path = DashboardPath.viewDeletion(view.id)
        return ActionPage(
            frame: DashboardFrame(viewer, section: view.list.section, path: path),
            title: words.viewsDeleteTitle(name: view.name),
            subtitle: String(view.isShared ? words.viewsDeleteShared : words.viewsDeleteOwn),
            back: back(view, words),
            facts: facts(view.list, view.columns, words)
                + ActionPage.consequences(undo: words.viewsUndoDelete, told: words.viewsToldDelete, words),
            factsTitle: String(words.accessGoodToKnow),
            fields: [],
            hidden: [.init(name: "list", value: view.list.rawValue), .newKey(key)],
            method: .post,
            action: path,
            submit: String(words.viewsSubmitDelete),
            keep: ActionPage.Link(text: String(words.viewsKeepDelete), href: view.path),
            isDangerous: true
        )
    }

    private static func changes(from view: SavedView, to state: ListState, _ words: Words) -> [ActionPage.Change] {
        [
            ActionPage.Change(
                what: String(words.viewsChangeFilters),
                before: ViewWords.filters(view.query, words),
                after: ViewWords.filters(state.query, words)
            ),
            ActionPage.Change(
                what: String(words.viewsFactColumns),
                before: ViewWords.columns(view.columns, words),
                after: ViewWords.columns(state.columns, words)
            ),
        ]
    }

    private static func back(_ view: SavedView, _ words: Words) -> ActionPage.Link {
        ActionPage.Link(text: String(view.list.title(words)), href: view.path)
    }

    private static func facts(_ list: ListName, _ columns: ColumnChoice, _ words: Words) -> [ActionPage.Fact] {
        [
            ActionPage.Fact(name: String(words.viewsFactList), value: String(list.title(words))),
            ActionPage.Fact(name: String(words.viewsFactColumns), value: ViewWords.columns(columns, words)),
        ]
    }

    private static func fields(_ form: ViewForm, _ error: OperationsError?, _ words: Words) -> [FormField] {
        let problems = error.map { FormField.problems(in: $0, words) } ?? [:]
        return [
            FormField(
                "name",
                String(words.viewsFieldName),
                value: form.name,
                hint: String(words.viewsHintName),
                problem: problems["name"]
            ),
            FormField(
                "shared",
                String(words.viewsFieldShared),
                value: form.shared,
                .radios([
                    .init(value: "no", label: String(words.viewsOnlyMe)),
                    .init(
                        value: "yes",
                        label: String(words.viewsEverybody),
                        detail: String(words.viewsEverybodyDetail)
                    ),
                ])
            ),
        ]
    }
}
