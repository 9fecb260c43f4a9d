import { ActionIcon, Button } from '@mantine/core';
import IconCopy from 'virtual:icons/copy';
import IconPencil from 'virtual:icons/pencil';
import IconPlayerPause from 'virtual:icons/player-pause';
import IconPlus from 'virtual:icons/plus';
import IconTrash from 'virtual:icons/trash';
import { Link } from 'react-router';
import { isComplete, REPRICER_LIMITS, type RepricerRule } from '#shared/repricer/schema.ts';
import classes from '#client/fields/rule-list/rule-list.module.css';
import { Badge } from '#client/ui/badge.tsx';
import { ignoreDoubleClick } from '#client/fields/rule-list/ignore-double-click.ts';
import { SortableRows } from '#client/ui/rows/sortable-rows.tsx';
import own from './repricer.module.css';
import { repricerPath } from './repricer-path.ts';
import { nameOf } from './rule-form.ts';

type RuleListProps = {
  masterid: string;
  rules: readonly RepricerRule[];
  selected: string;
  unsaved: ReadonlySet<string>;
  mayEdit: boolean;
  onSelect: (ruleid: string) => void;
  /** Called with the ids in their new order. */
  onOrder: (ids: string[]) => void;
  onAdd: () => void;
  onCopy: () => void;
  onDelete: () => void;
};

/** REP-03: the rules by priority; new, copy and delete the selected one; sorted by handle where there is more than one. */
export function RuleList(props: RuleListProps) {
  const { rules, mayEdit, onOrder } = props;
  return (
    <div className={`${classes.list} ${own.list}`}>
      {mayEdit && <Tools {...props} />}
      <nav aria-label="Repricing-Regeln, von oben nach unten">
        <SortableRows
          rows={rules}
          rowId={({ id }) => id}
          rowName={(rule, index) => `Regel ${index + 1} „${nameOf(rule)}“`}
          rowClassName={() => classes.entry ?? ''}
          className={classes.plain}
          sortable={mayEdit}
          onOrder={(sorted) => onOrder(sorted.map(({ id }) => id))}
        >
          {(rule, handle, index) => (
            <>
              {handle}
              <Entry {...props} rule={rule} index={index} />
            </>
          )}
        </SortableRows>
      </nav>
    </div>
  );
}

function Tools({ rules, onAdd, onCopy, onDelete }: RuleListProps) {
  const full = rules.length >= REPRICER_LIMITS.rules;
  return (
    <div className={own.listtools}>
      <Button
        size="xs"
        leftSection={<IconPlus size={14} aria-hidden />}
        disabled={full}
        onClick={ignoreDoubleClick(onAdd)}
      >
        Neue Regel
      </Button>
      <ActionIcon
        variant="default"
        size={30}
        aria-label="Regel kopieren"
        title="Regel kopieren"
        disabled={full}
        onClick={onCopy}
      >
        <IconCopy size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon
        variant="default"
        size={30}
        className={own.delete}
        aria-label="Regel löschen"
        title="Regel löschen"
        onClick={onDelete}
      >
        <IconTrash size={16} aria-hidden />
      </ActionIcon>
    </div>
  );
}

type EntryProps = RuleListProps & { rule: RepricerRule; index: number };

function Entry({ masterid, rule, index, selected, unsaved, onSelect }: EntryProps) {
  return (
    <Link
      to={repricerPath(masterid, rule.id)}
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
        <span className={classes.name}>{nameOf(rule)}</span>
        <span className={classes.count}>
          {rule.active ? (
            (isComplete(rule) && 'aktiv') || 'unvollständig'
          ) : (
            <Badge tone="gray" icon={IconPlayerPause}>
              pausiert
            </Badge>
          )}
        </span>
      </span>
      {unsaved.has(rule.id) && <IconPencil size={16} aria-label="nicht gespeichert" />}
    </Link>
  );
}
