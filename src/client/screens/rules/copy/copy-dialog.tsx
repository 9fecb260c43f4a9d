import { Button, Checkbox, Loader, Modal, TextInput } from '@mantine/core';
import IconAlertTriangle from 'virtual:icons/alert-triangle';
import IconCheck from 'virtual:icons/check';
import IconSearch from 'virtual:icons/search';
import { useState } from 'react';
import { Link } from 'react-router';
import { ruleName } from '#shared/rules/sentences.ts';
import type { Rule } from '#shared/rules/schema.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { formatCount } from '#client/ui/text/formats.ts';
import { ScrollRegion } from '#client/ui/scroll-region.tsx';
import classes from './copy-dialog.module.css';
import { type CopyOutcome, type CopyTarget, useCopying } from './copy-targets.ts';
import { rulePath, type RuleScope } from '#client/screens/rules/rule-scope.ts';
import { useFocusBack } from '#client/ui/focus/use-focus-back.ts';

type CopyDialogProps = { scope: RuleScope; rule: Rule; unsaved: boolean; onClose: () => void };

/** Copies a rule, as it is in the form, to other catalogues and exports. */
export function CopyDialog({ scope, rule, unsaved, onClose }: CopyDialogProps) {
  const { targets, failure, retry, chosen, toggle, outcomes, copy } = useCopying(rule);
  useFocusBack();
  const [typed, setTyped] = useState('');
  const wanted = typed.trim().toLowerCase();
  const found = (targets ?? []).filter(({ searched }) => searched.includes(wanted));
  const busy = [...outcomes.values()].some(({ kind }) => kind === 'busy');
  return (
    <Modal opened onClose={onClose} title={<span className="k-strong">In anderen Katalog oder Export kopieren</span>}>
      <div className="k-stack">
        <p>
          {ruleName(rule)} kommt dort ans Ende der Liste und ist zunächst pausiert.{' '}
          {unsaved && 'Kopiert wird, was jetzt im Formular steht, auch wenn es noch nicht gespeichert ist.'}
        </p>
        <ErrorNotice failure={failure} onRetry={retry} />
        <TextInput
          type="search"
          aria-label="Katalog oder Export suchen"
          placeholder="Katalog oder Export suchen"
          leftSection={<IconSearch size={16} aria-hidden />}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          data-autofocus
        />
        <ScrollRegion label="Ziele" className={classes.targets}>
          {targets === null && failure === null && <Loader size={20} role="img" aria-label="lädt" />}
          <ul>
            {found.map((target) => (
              <Target
                key={target.scope.id}
                target={target}
                here={target.scope.id === scope.id}
                chosen={chosen.has(target.scope.id)}
                outcome={outcomes.get(target.scope.id)}
                disabled={busy}
                onToggle={() => toggle(target.scope.id)}
              />
            ))}
          </ul>
          {targets !== null && found.length === 0 && <p className="k-muted">Nichts gefunden.</p>}
        </ScrollRegion>
        <div className={classes.ways}>
          <Button variant="default" onClick={onClose}>
            {outcomes.size > 0 ? 'Schließen' : 'Abbrechen'}
          </Button>
          <Button disabled={chosen.size === 0} loading={busy} onClick={() => void copy()}>
            {chosen.size === 0 ? 'Kopieren' : `In ${formatCount(chosen.size, 'Ziel', 'Ziele')} kopieren`}
          </Button>
        </div>
      </div>
    </Modal>
  );
}

type TargetProps = {
  target: CopyTarget;
  /** The list that already contains the rule. */
  here: boolean;
  chosen: boolean;
  outcome: CopyOutcome | undefined;
  disabled: boolean;
  onToggle: () => void;
};

function Target({ target: { scope, name }, here, chosen, outcome, disabled, onToggle }: TargetProps) {
  const kind = scope.kind === 'master' ? 'Katalog' : 'Export';
  return (
    <li data-kind={scope.kind}>
      <Checkbox
        label={`${kind} ${name}${here ? ' (diese Liste)' : ''}`}
        checked={chosen}
        disabled={disabled || here}
        onChange={onToggle}
      />
      <span className={classes.outcome} role="status" data-kind={outcome?.kind}>
        {outcome?.kind === 'busy' && 'wird kopiert …'}
        {outcome?.kind === 'done' && (
          <>
            <IconCheck size={16} aria-hidden /> kopiert <Link to={rulePath(scope)}>{`Regeln von ${name} öffnen`}</Link>
          </>
        )}
        {outcome?.kind === 'failed' && (
          <>
            <IconAlertTriangle size={16} aria-hidden /> {outcome.message}
          </>
        )}
      </span>
    </li>
  );
}
