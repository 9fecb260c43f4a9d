import { TextInput } from '@mantine/core';
import IconAlertCircle from 'virtual:icons/alert-circle';
import IconAlertTriangle from 'virtual:icons/alert-triangle';
import IconPlayerPause from 'virtual:icons/player-pause';
import IconSearch from 'virtual:icons/search';
import { type KeyboardEvent, memo, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { RuleFinding } from '#shared/rules/effect.ts';
import classes from '#client/fields/rule-list/rule-list.module.css';
import { Badge } from '#client/ui/badge.tsx';
import { formatCount, formatInteger } from '#client/ui/text/formats.ts';
import type { RuleChecks } from '#client/screens/rules/effect/use-rule-checks.ts';
import { SortableRows } from '#client/ui/rows/sortable-rows.tsx';
import { countWords, findRules, type ListedRule, type RuleCount } from './listed-rules.ts';
import { rulePath, type RuleScope } from './rule-scope.ts';

type RuleListProps = {
  scope: RuleScope;
  rules: readonly ListedRule[];
  selected: string;
  /** Ids of rules that the server refused. */
  wrong: ReadonlySet<string>;
  counts: ReadonlyMap<string, RuleCount>;
  /** Newer counts are being loaded. */
  stale: boolean;
  failed: RuleChecks['failed'];
  findings: ReadonlyMap<string, readonly RuleFinding[]>;
  mayEdit: boolean;
  onSelect: (ruleid: string) => void;
  /** Called with the ids in their new order. */
  onOrder: (ids: string[]) => void;
};

/** Number of rules from which a search box is shown. */
const filteredFrom = 9;

/** The rules in the order they run, each with its effect; sorted by handle if there is something to sort (RUL-08). */
export const RuleList = memo(function RuleList(props: RuleListProps) {
  const { scope, rules, mayEdit, onSelect, onOrder } = props;
  const [typed, setTyped] = useState('');
  const nav = useRef<HTMLElement>(null);
  const offered = rules.length >= filteredFrom;
  const filtering = offered && typed.trim() !== '';
  const found = offered ? findRules(rules, typed) : rules;
  const sortable = mayEdit && found.length === rules.length;
  const indexes = new Map(rules.map(({ id }, index) => [id, index]));
  const entry = (rule: ListedRule) => <Entry {...props} scope={scope} rule={rule} index={indexes.get(rule.id) ?? 0} />;
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setTyped('');
    if (event.key === 'Enter' && found[0] !== undefined) onSelect(found[0].id);
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    nav.current?.querySelector('a')?.focus();
  };
  return (
    <div className={classes.list}>
      {offered && (
        <div className={classes.filter} data-own-undo>
          <TextInput
            type="search"
            size="xs"
            aria-label="Regeln suchen"
            placeholder="Name oder Feld suchen"
            leftSection={<IconSearch size={14} aria-hidden />}
            rightSection={filtering && <span aria-hidden>{formatInteger(found.length)}</span>}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            onKeyDown={onKey}
          />
          <span className="k-hidden" role="status">
            {filtering && `${formatInteger(found.length)} von ${formatCount(rules.length, 'Regel', 'Regeln')}`}
          </span>
        </div>
      )}
      <nav ref={nav} aria-label="Regeln, von oben nach unten">
        {sortable ? (
          <SortableRows
            rows={rules}
            rowId={({ id }) => id}
            rowName={(rule, index) => `Regel ${index + 1} „${rule.name}“`}
            rowClassName={() => classes.entry ?? ''}
            onOrder={(sorted) => onOrder(sorted.map(({ id }) => id))}
          >
            {(rule, handle, index) => (
              <>
                {handle}
                <Entry {...props} rule={rule} index={index} />
              </>
            )}
          </SortableRows>
        ) : (
          <ul className={classes.plain}>
            {found.map((rule) => (
              <li key={rule.id} className={classes.entry}>
                {entry(rule)}
              </li>
            ))}
          </ul>
        )}
      </nav>
      {found.length === 0 && <p className={classes.nothing}>Keine Regel gefunden.</p>}
      {props.failed !== null && (
        <div className={classes.failed} role="status">
          {props.failed.message}{' '}
          <button type="button" onClick={props.failed.retry}>
            Erneut versuchen
          </button>
        </div>
      )}
    </div>
  );
});

type EntryProps = Omit<RuleListProps, 'rules'> & { rule: ListedRule; index: number };

function Entry({ scope, rule, index, selected, wrong, counts, stale, findings, onSelect }: EntryProps) {
  const count = counts.get(rule.id);
  const found = findings.get(rule.id) ?? [];
  return (
    <Link
      to={rulePath(scope, rule.id)}
      className={classes.rule}
      aria-current={rule.id === selected ? 'page' : undefined}
      onClick={(event) => {
        // A plain click selects at once; a modified click opens the address in another tab or window.
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        onSelect(rule.id);
      }}
    >
      <span className={classes.number}>{index + 1}</span>
      <span className={classes.words}>
        <span className={classes.name}>{rule.name}</span>
        {rule.active ? (
          <Count count={count} stale={stale} />
        ) : (
          <span className={classes.count}>
            <Badge tone="gray" icon={IconPlayerPause}>
              pausiert
            </Badge>
          </span>
        )}
      </span>
      {found.length > 0 && (
        <IconAlertTriangle
          size={16}
          className={classes.finding}
          aria-label={`Prüfung: ${found.map(({ message }) => message).join(' ')}`}
        />
      )}
      {wrong.has(rule.id) && <IconAlertCircle size={16} className={classes.wrong} aria-label="nicht gespeichert" />}
    </Link>
  );
}

function Count({ count, stale }: { count: RuleCount | undefined; stale: boolean }) {
  if (count === undefined) return <span className={classes.count}>&nbsp;</span>;
  const { text, none } = countWords(count);
  return (
    <span className={classes.count} data-none={none || undefined} data-stale={stale || undefined}>
      {text}
    </span>
  );
}
