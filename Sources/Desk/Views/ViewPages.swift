import HTTP
import Operations
import Storage
import Words

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
        let strings = viewer.strings
        let updates = own.map { view in
            ActionPage.Fact(
                name: String(strings.viewsFactInstead),
                value: strings.viewsUpdateLink(name: view.name),
                href: "\(DashboardPath.view(view.id))\(state.text)&list=\(state.list.rawValue)"
            )
        }
        return ActionPage(
            frame: DashboardFrame(viewer, section: state.list.section, path: state.newViewPath),
            title: String(strings.viewsNewTitle),
            subtitle: String(strings.viewsNewText),
            back: ActionPage.Link(text: String(state.list.title(strings)), href: state.path),
            facts: facts(state.list, state.columns, strings) + updates,
            factsTitle: String(strings.viewsKept),
            fields: fields(form, error, strings),
            hidden: [
                .init(name: "list", value: state.list.rawValue), .init(name: "query", value: state.text),
                .newKey(key),
            ],
            method: .post,
            action: DashboardPath.views,
            submit: String(strings.viewsSubmitNew),
            keep: ActionPage.Link(text: String(strings.viewsKeepNew), href: state.path)
        )
    }

    /// - Parameter state: the state that the view would keep from now on; nil leaves it as it is.
    static func change(
        _ view: SavedView,
        to state: ListState? = nil,
        _ form: ViewForm,
        _ viewer: Viewer,
        key: String,
        error: OperationsError? = nil
    ) -> ActionPage {
        let strings = viewer.strings
        let path = DashboardPath.view(view.id)
        let deletion = ActionPage.Fact(
            name: String(strings.viewsFactDelete),
            value: String(strings.viewsDeleteLink),
            href: DashboardPath.viewDeletion(view.id)
        )
        let history = ActionPage.Fact(
            name: String(strings.auditHistory),
            value: String(strings.auditHistoryLink),
            href: DashboardPath.history(of: "view", "\(view.id)")
        )
        return ActionPage(
            frame: DashboardFrame(viewer, section: view.list.section, path: path),
            title: state == nil ? strings.viewsChangeTitle(name: view.name) : strings.viewsUpdateTitle(name: view.name),
            back: state.map { ActionPage.Link(text: String($0.list.title(strings)), href: $0.path) }
                ?? back(view, strings),
            changes: state.map { changes(from: view, to: $0, strings) } ?? [],
            facts: facts(view.list, view.columns, strings) + [deletion] + (viewer.may(.viewAudit) ? [history] : []),
            factsTitle: String(strings.viewsKept),
            fields: fields(form, error, strings),
            hidden: (state.map { [.init(name: "query", value: $0.text)] } ?? []) + [.newKey(key)],
            method: .post,
            action: path,
            submit: String(state == nil ? strings.viewsSubmitChange : strings.viewsSubmitUpdate),
            keep: ActionPage.Link(text: String(strings.viewsKeepChange), href: state?.path ?? view.path)
        )
    }

    static func deletion(_ view: SavedView, _ viewer: Viewer, key: String) -> ActionPage {
        let strings = viewer.strings
        let path = DashboardPath.viewDeletion(view.id)
        return ActionPage(
            frame: DashboardFrame(viewer, section: view.list.section, path: path),
            title: strings.viewsDeleteTitle(name: view.name),
            subtitle: String(view.isShared ? strings.viewsDeleteShared : strings.viewsDeleteOwn),
            back: back(view, strings),
            facts: facts(view.list, view.columns, strings)
                + ActionPage.consequences(undo: strings.viewsUndoDelete, notified: strings.viewsToldDelete, strings),
            factsTitle: String(strings.accessGoodToKnow),
            fields: [],
            hidden: [.init(name: "list", value: view.list.rawValue), .newKey(key)],
            method: .post,
            action: path,
            submit: String(strings.viewsSubmitDelete),
            keep: ActionPage.Link(text: String(strings.viewsKeepDelete), href: view.path),
            isDangerous: true
        )
    }

    private static func changes(from view: SavedView, to state: ListState, _ strings: Strings) -> [ActionPage.Change] {
        [
            ActionPage.Change(
                what: String(strings.viewsChangeFilters),
                before: ViewText.filters(view.query, strings),
                after: ViewText.filters(state.query, strings)
            ),
            ActionPage.Change(
                what: String(strings.viewsFactColumns),
                before: ViewText.columns(view.columns, strings),
                after: ViewText.columns(state.columns, strings)
            ),
        ]
    }

    private static func back(_ view: SavedView, _ strings: Strings) -> ActionPage.Link {
        ActionPage.Link(text: String(view.list.title(strings)), href: view.path)
    }

    private static func facts(_ list: ListName, _ columns: ColumnChoice, _ strings: Strings) -> [ActionPage.Fact] {
        [
            ActionPage.Fact(name: String(strings.viewsFactList), value: String(list.title(strings))),
            ActionPage.Fact(name: String(strings.viewsFactColumns), value: ViewText.columns(columns, strings)),
        ]
    }

    private static func fields(_ form: ViewForm, _ error: OperationsError?, _ strings: Strings) -> [FormField] {
        let problems = error.map { FormField.problems(in: $0, strings) } ?? [:]
        return [
            FormField(
                "name",
                String(strings.viewsFieldName),
                value: form.name,
                hint: String(strings.viewsHintName),
                problem: problems["name"]
            ),
            FormField(
                "shared",
                String(strings.viewsFieldShared),
                value: form.shared,
                .radios([
                    .init(value: "no", label: String(strings.viewsOnlyMe)),
                    .init(
                        value: "yes",
                        label: String(strings.viewsEverybody),
                        detail: String(strings.viewsEverybodyDetail)
                    ),
                ])
            ),
        ]
    }
}
