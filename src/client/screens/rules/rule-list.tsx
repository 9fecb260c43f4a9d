import { IconAlertTriangle, IconPlayerPause } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Rule } from '#shared/rules.ts';
import { Badge } from '../../ui/badge.tsx';
import { SortableRows } from '../../ui/sortable-rows.tsx';
import { nameOf } from './rule-changes.ts';
import classes from './rule-list.module.css';
import { rulePath, type RuleScope } from './rule-scope.ts';

type RuleListProps = {
  scope: RuleScope;
  rules: readonly Rule[];
  selected: string;
  /** Ids of rules that the server did not accept. */
  wrong: ReadonlySet<string>;
  mayEdit: boolean;
  onSelect: (ruleid: string) => void;
  onOrder: (rules: Rule[]) => void;
};

/** The rules in the order they run; sorted by handle where there is something to sort (RUL-08). */
export function RuleList({ scope, rules, selected, wrong, mayEdit, onSelect, onOrder }: RuleListProps) {
  const entry = (rule: Rule, index: number) => (
    <Link
      to={rulePath(scope, rule.id)}
      className={classes.rule}
      aria-current={rule.id === selected ? 'page' : undefined}
      onClick={(event) => {
        // A plain click selects at once; a modified one opens the address elsewhere.
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        onSelect(rule.id);
      }}
    >
      <span className={classes.number}>{index + 1}</span>
      <span className={classes.name}>{nameOf(rule)}</span>
      {wrong.has(rule.id) && <IconAlertTriangle size={16} className={classes.wrong} aria-label="nicht gespeichert" />}
      {!rule.active && (
        <Badge tone="gray" icon={IconPlayerPause}>
          pausiert
        </Badge>
      )}
    </Link>
  );
  return (
    <nav className={classes.list} aria-label="Regeln, von oben nach unten">
      {mayEdit ? (
        <SortableRows
          rows={rules}
          rowId={({ id }) => id}
          rowName={(rule, index) => `Regel ${index + 1} „${nameOf(rule)}“`}
          rowClassName={() => classes.entry ?? ''}
          onOrder={onOrder}
        >
          {(rule, handle, index) => (
            <>
              {handle}
              {entry(rule, index)}
            </>
          )}
        </SortableRows>
      ) : (
        <ul className={classes.plain}>
          {rules.map((rule, index) => (
            <li key={rule.id} className={classes.entry}>
              {entry(rule, index)}
            </li>
          ))}
        </ul>
      )}
    </nav>
  );
}
