import { Button } from '@mantine/core';
import { IconHistory, IconListCheck, IconPlus } from '@tabler/icons-react';
import { type ReactNode, useMemo, useState } from 'react';
import { Link } from 'react-router';
import type { SourceField } from '#shared/construction.ts';
import { pages } from '#shared/pages.ts';
import { RULE_LIMITS, type Rule } from '#shared/rules.ts';
import { pathTo } from '../../address.ts';
import { FieldsProvider } from '../../fields/fields-context.tsx';
import { InSight } from '../../fields/in-sight.tsx';
import { useMay } from '../../shell/session.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SaveBar } from '../../ui/save-bar.tsx';
import { UndoButtons } from '../../ui/undo-buttons.tsx';
import { UnsavedGuard } from '../../ui/unsaved-guard.tsx';
import { useUndoKeys } from '../../ui/use-undo-keys.ts';
import { ConflictDialog } from './conflict-dialog.tsx';
import { nameOf, writtenFields } from './rule-changes.ts';
import { RuleList } from './rule-list.tsx';
import { notesOf, standingRefusals } from './rule-notes.ts';
import { documentOf, rulePath, type RuleScope } from './rule-scope.ts';
import classes from './rules.module.css';
import { RuleWorkspace } from './rule-workspace.tsx';
import { useComputedRules } from './use-computed-rules.ts';
import { type LoadedRules, useRules } from './use-rules.ts';

type RuleManagerProps = {
  scope: RuleScope;
  title: string;
  loaded: LoadedRules;
  masterid: string;
  fields: readonly SourceField[];
  /** Fields that rules running before these write. */
  writtenBefore?: readonly string[];
  /** What runs before these rules. */
  before?: ReactNode;
};

/** RUL: a list of rules beside the editor of the selected one. */
export function RuleManager({ scope, masterid, title, loaded, fields, writtenBefore = [], before }: RuleManagerProps) {
  const names = useMemo(() => [...fields.map(({ value }) => value), ...writtenBefore], [fields, writtenBefore]);
  const form = useRules(scope, loaded, names);
  const mayEdit = useMay('edit');
  const [deleting, setDeleting] = useState<Rule | null>(null);
  const { rules, failure } = form;
  const rule = rules.find(({ id }) => id === form.selected) ?? rules[0];
  const offered = useMemo(
    () => withWritten(fields, [...writtenBefore, ...writtenFields(rules)]),
    [fields, writtenBefore, rules],
  );
  const wrong = new Set(rules.filter((one) => standingRefusals(one, form.refusals).length > 0).map(({ id }) => id));
  const computed = useComputedRules(rules);
  const base = rulePath(scope);
  useUndoKeys({ onUndo: () => form.step('undo'), onRedo: () => form.step('redo') });

  const newButton = mayEdit && rules.length < RULE_LIMITS.rules && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={form.add}>
      Neue Regel
    </Button>
  );
  return (
    <FieldsProvider fields={offered}>
      <div className={`k-stack ${classes.page}`}>
        <PageHeader
          title={title}
          lead={
            <>
              Die Liste läuft von oben nach unten. Pausierte Regeln werden übersprungen.{before !== undefined && ' '}
              {before}
            </>
          }
          actions={
            <>
              {mayEdit && (
                <UndoButtons {...form.steps} onUndo={() => form.step('undo')} onRedo={() => form.step('redo')} />
              )}
              <Button
                component={Link}
                variant="default"
                leftSection={<IconHistory size={16} aria-hidden />}
                to={pathTo(pages.history, documentOf(scope))}
              >
                Verlauf
              </Button>
              {rules.length > 0 && newButton}
            </>
          }
        />
        <InSight of={failure}>
          <ErrorNotice failure={failure} onClose={form.closeFailure} onRetry={() => void form.save()} />
        </InSight>
        {rule === undefined ? (
          <NoRules action={newButton} />
        ) : (
          <div className={classes.columns}>
            <RuleList
              scope={scope}
              rules={rules}
              selected={rule.id}
              wrong={wrong}
              mayEdit={mayEdit}
              onSelect={form.select}
              onOrder={form.order}
            />
            <RuleWorkspace
              key={rule.id}
              scope={scope}
              masterid={masterid}
              rules={rules}
              computed={computed}
              hasItems={fields.length > 0}
              rule={rule}
              noteAt={notesOf(rule, form.problems, form.refusals)}
              mayEdit={mayEdit}
              nameWanted={form.nameWanted}
              nameMissing={form.nameMissing && rule.name.trim() === ''}
              onChange={form.change}
              onCopy={() => form.copy(rule)}
              onDelete={() => setDeleting(rule)}
            />
          </div>
        )}
        <SaveBar
          dirty={form.changes > 0}
          count={form.changes}
          busy={form.busy}
          onSave={() => void form.save()}
          onDiscard={form.discard}
        />
        <UnsavedGuard
          dirty={form.changes > 0}
          onSave={form.save}
          staysInForm={(pathname) => pathname === base || pathname.startsWith(`${base}/`)}
        />
        {form.foreign !== null && (
          <ConflictDialog
            base={form.saved}
            mine={rules}
            foreign={form.foreign}
            onResolve={(resolution) => void form.resolve(resolution)}
            onClose={form.closeForeign}
          />
        )}
        <ConfirmDialog
          opened={deleting !== null}
          question="Ausgewählte Regel wirklich löschen?"
          confirm="Löschen"
          danger
          onClose={() => setDeleting(null)}
          onConfirm={async () => {
            if (deleting !== null) await form.remove(deleting);
            setDeleting(null);
          }}
        >
          „{deleting === null ? '' : nameOf(deleting)}“ wird sofort gelöscht.
        </ConfirmDialog>
      </div>
    </FieldsProvider>
  );
}

/** RUL-01. */
function NoRules({ action }: { action: ReactNode }) {
  return (
    <EmptyState icon={IconListCheck} title="Erstellen Sie Ihre erste Regel" action={action}>
      <p>
        Eine Regel sagt, für welche Artikel sie gilt („Wenn der Preis kleiner als 1 ist“) und was dann mit ihnen
        geschieht („dann schließe den Artikel aus“). So bereinigen, ergänzen und filtern Sie Ihre Daten, ohne die Quelle
        zu ändern.
      </p>
    </EmptyState>
  );
}

/** Fields of the catalogue and those that rules add to it. */
function withWritten(fields: readonly SourceField[], written: readonly string[]): SourceField[] {
  const known = new Set(fields.map(({ value }) => value));
  const added = [...new Set(written)].filter((name) => !known.has(name));
  return [...fields, ...added.map((name): SourceField => ({ name, value: name, origin: '' }))];
}
