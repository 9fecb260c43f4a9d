import { type ReactNode, useMemo, useState } from 'react';
import type { SourceField } from '#shared/construction/schema.ts';
import type { Rule } from '#shared/rules/schema.ts';
import { UnknownEntry } from '#client/fields/rule-list/unknown-entry.tsx';
import { FieldsProvider } from '#client/fields/values/fields-context.tsx';
import type { ExtraField } from '#client/fields/values/picker-groups.ts';
import { ScrollIntoView } from '#client/fields/scroll-into-view.tsx';
import { useMay } from '#client/shell/session.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { DocumentGuard } from '#client/editor/document-guard.tsx';
import { sameValue } from '#client/editor/same-value.ts';
import { SaveBar } from '#client/editor/save-bar.tsx';
import { useEvent } from '#client/ui/use-event.ts';
import { FindingNotices } from '#client/screens/rules/effect/finding-notices.tsx';
import { ImpactPanel } from '#client/screens/rules/impact/impact-panel.tsx';
import { impactWarning } from '#client/screens/rules/impact/impact-words.ts';
import { useListedRules } from './listed-rules.ts';
import { writtenFields } from './rule-changes.ts';
import { type RuleDialog, RuleDialogs } from './rule-dialogs.tsx';
import { NoRules, RuleHeader } from './rule-header.tsx';
import { RuleList } from './rule-list.tsx';
import { notesOf, refusedIds } from './rule-notes.ts';
import { rulePath, type RuleScope } from './rule-scope.ts';
import { ruleShape } from './rule-shape.ts';
import { RuleWorkspace } from './rule-workspace.tsx';
import classes from './rules.module.css';
import { useComputedRules } from '#client/screens/rules/statistics/use-computed-rules.ts';
import { useRuleChecks } from '#client/screens/rules/effect/use-rule-checks.ts';
import { useRequestedRule } from './use-requested-rule.ts';
import { type LoadedRules, useRules } from './use-rules.ts';

type RuleManagerProps = {
  scope: RuleScope;
  title: string;
  loaded: LoadedRules;
  masterid: string;
  fields: readonly SourceField[];
  /** Mappings whose results these rules can read (GEN-08). */
  mappings?: readonly ExtraField[];
  /** Whether a save can change an export. */
  hasExports: boolean;
  /** Fields that rules running before these write. */
  writtenBefore?: readonly string[];
  /** The rules that run before these. */
  before?: ReactNode;
};

/** One array for all renders: lists and checks depend on it. */
const nothing: readonly string[] = [];

/** RUL: a list of rules, the editor of the selected one, and its effect while it is edited. */
export function RuleManager(props: RuleManagerProps) {
  const { scope, masterid, title, loaded, fields, hasExports, writtenBefore = nothing, before } = props;
  const names = useMemo(() => [...fields.map(({ value }) => value), ...writtenBefore], [fields, writtenBefore]);
  const form = useRules(scope, loaded, names);
  const mayEdit = useMay('edit');
  useRequestedRule(form, mayEdit);
  const [pending, setPending] = useState<RuleDialog | null>(null);
  const { editor, rules, failure } = form;
  const rule = rules.find(({ id }) => id === form.selected) ?? rules[0];
  const { dirty } = editor;
  const hasItems = fields.length > 0;
  const written = useWrittenFields(rules);
  const offered = useMemo(() => withWritten(fields, [...writtenBefore, ...written]), [fields, writtenBefore, written]);
  const computed = useComputedRules(rules);
  const listed = useListedRules(rules);
  const wrong = useMemo(() => refusedIds(rules, form.refusals), [rules, form.refusals]);
  const checks = useRuleChecks(scope, {
    computed,
    saved: editor.stored,
    hasItems,
    reachesExports: dirty && hasExports,
  });
  const select = useEvent(form.select);
  const order = useEvent(form.order);
  const base = rulePath(scope);
  const header = { scope, title, before, mayEdit, steps: editor.steps, onAdd: form.add };
  return (
    <FieldsProvider fields={offered} extra={props.mappings}>
      <div className={`k-stack ${classes.page}`}>
        <RuleHeader {...header} count={rules.length} />
        <ScrollIntoView of={failure}>
          <ErrorNotice failure={failure} onClose={form.closeFailure} onRetry={() => void editor.save()} />
        </ScrollIntoView>
        <UnknownEntry what="Die Regel" wanted={form.selected} entries={rules} />
        {rule === undefined ? (
          <NoRules onAdd={mayEdit ? form.add : undefined} />
        ) : (
          <div className={classes.columns}>
            <RuleList
              scope={scope}
              rules={listed}
              selected={rule.id}
              wrong={wrong}
              counts={checks.counts}
              stale={checks.countsStale}
              failed={checks.failed}
              findings={checks.findings}
              mayEdit={mayEdit}
              onSelect={select}
              onOrder={order}
            />
            <RuleWorkspace
              key={rule.id}
              scope={scope}
              masterid={masterid}
              rules={rules}
              computed={computed}
              hasItems={hasItems}
              rule={rule}
              notices={
                <FindingNotices
                  scope={scope}
                  masterid={masterid}
                  findings={checks.findings.get(rule.id) ?? []}
                  onSelect={select}
                />
              }
              notes={notesOf(rule, form)}
              mayEdit={mayEdit}
              nameWanted={form.nameWanted}
              nameMissing={form.nameMissing && rule.name.trim() === ''}
              onChange={form.change}
              onCopy={() => form.copy(rule)}
              onCopyElsewhere={() => setPending({ kind: 'copy', rule })}
              onDelete={() => setPending({ kind: 'delete', rule })}
            />
          </div>
        )}
        <SaveBar
          dirty={dirty}
          count={editor.changes}
          busy={editor.busy}
          warning={impactWarning(checks.impact.answer?.exports ?? [])}
          above={hasItems && hasExports && <ImpactPanel masterid={masterid} impact={checks.impact} />}
          onSave={() => void editor.save()}
          onDiscard={form.discard}
        />
        <DocumentGuard
          editor={editor}
          shape={ruleShape}
          onResolve={form.resolve}
          staysInForm={(pathname) => pathname === base || pathname.startsWith(`${base}/`)}
        />
        <RuleDialogs scope={scope} form={form} pending={pending} dirty={dirty} onClose={() => setPending(null)} />
      </div>
    </FieldsProvider>
  );
}

/** Returns the same array while the rules write the same fields: every picker of the form depends on it. */
function useWrittenFields(rules: readonly Rule[]): readonly string[] {
  const written = writtenFields(rules);
  const [known, setKnown] = useState<readonly string[]>(written);
  if (sameValue(written, known)) return known;
  setKnown(written);
  return written;
}

/** Returns the catalogue's fields and those that rules add to it. */
function withWritten(fields: readonly SourceField[], written: readonly string[]): SourceField[] {
  const known = new Set(fields.map(({ value }) => value));
  const added = [...new Set(written)].filter((name) => !known.has(name));
  return [...fields, ...added.map((name): SourceField => ({ name, value: name, origin: '' }))];
}
