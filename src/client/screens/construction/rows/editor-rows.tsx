import IconTable from 'virtual:icons/table';
import type { ConstructionTemplate } from '#shared/construction/schema.ts';
import { EmptyState } from '#client/ui/empty-state.tsx';
import classes from '#client/screens/construction/construction.module.css';
import rowsClasses from './rows.module.css';
import { GroupTabs } from '#client/screens/construction/group-tabs.tsx';
import { groupsOf } from '#client/screens/construction/groups.ts';
import { RowButtons } from './row-buttons.tsx';
import { RowsTable, type RowsTableProps } from './rows-table.tsx';
import type { Seen } from '#client/screens/construction/values/seen-values.ts';
import type { ConstructionForm } from '#client/screens/construction/use-construction.ts';
import type { RowActions } from './use-rows.ts';
import { openGroup, type useView } from '#client/screens/construction/use-view.ts';

type EditorRowsProps = {
  form: ConstructionForm;
  viewState: ReturnType<typeof useView>;
  template: ConstructionTemplate | null;
  actions: RowActions;
  missing: ReadonlySet<string>;
  seen: ReadonlyMap<string, Seen>;
  mayEdit: boolean;
};

/** The rows in tabs by group, or all of them in one table. */
export function EditorRows({ form, viewState, template, actions, missing, seen, mayEdit }: EditorRowsProps) {
  const { rows, open, checked } = form;
  const buttons = mayEdit && <RowButtons rows={rows} template={template} actions={actions} />;
  if (rows.length === 0) {
    return (
      <EmptyState icon={IconTable} title={emptyTitle} action={buttons}>
        <p>Ohne Feldaufbau gibt der Export alle Felder unter ihrem eigenen Namen aus.</p>
        {form.faults.missing.length > 0 && <p>Pflichtfelder der Vorlage: {form.faults.missing.join(', ')}.</p>}
      </EmptyState>
    );
  }
  const common: Omit<RowsTableProps, 'rows'> = {
    view: viewState.view,
    fields: actions.byName,
    missing,
    repeated: form.faults.repeated,
    seen,
    added: actions.added,
    naming: actions.held?.id ?? null,
    mayEdit,
    onRow: actions.put,
    onDelete: actions.remove,
    onOrder: actions.order,
    onNaming: actions.onNaming,
  };
  if (viewState.view === 'table') {
    return (
      <div className={classes.card}>
        <RowsTable {...common} rows={rows} />
        <div className={rowsClasses.foot}>{buttons}</div>
      </div>
    );
  }
  const groups = groupsOf(rows, template, open, actions.held);
  const group = openGroup(groups, viewState.wantedGroup);
  const shown = groups.find(({ name }) => name === group)?.rows ?? [];
  return (
    <GroupTabs groups={groups} group={group} checked={checked !== null} onGroup={viewState.setGroup}>
      {shown.length === 0 ? (
        <p className={rowsClasses.none}>{emptyTitle}</p>
      ) : (
        <RowsTable key={group} {...common} rows={shown} />
      )}
      <div className={rowsClasses.foot}>{buttons}</div>
    </GroupTabs>
  );
}

const emptyTitle = 'Noch keine Zuweisung angelegt.';
