import { ActionIcon, Button, Switch, Textarea, TextInput } from '@mantine/core';
import IconNote from 'virtual:icons/note';
import IconPlayerPause from 'virtual:icons/player-pause';
import IconPlayerPlay from 'virtual:icons/player-play';
import type { IconComponent } from '#client/ui/icons/icon.tsx';
import { oneLine } from '#client/ui/form/one-line.ts';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import classes from './rule-head.module.css';

/** Asks the editor to focus the name of a rule; a new object asks again. */
export type NameWanted = { ruleId: string };

/** GEN-03. */
export function PausedBanner({ onActivate, mayEdit }: { onActivate: () => void; mayEdit: boolean }) {
  return (
    <div className={classes.paused}>
      <IconPlayerPause size={18} aria-hidden />
      <span>Diese Regel ist pausiert. Sie können sie bearbeiten, sie wird jedoch nicht ausgeführt.</span>
      {mayEdit && (
        <Button size="xs" variant="default" leftSection={<IconPlayerPlay size={14} aria-hidden />} onClick={onActivate}>
          Aktivieren
        </Button>
      )}
    </div>
  );
}

type Part = { name: string; description: string; active: boolean };
type RuleHeadProps = {
  rule: Part & { id: string };
  limits: { name: number; description: number };
  name: { error: string | undefined; hint?: string | undefined };
  descriptionHint?: string | undefined;
  nameWanted: NameWanted | null;
  onChange: (part: Partial<Part>) => void;
  /** Buttons for the whole rule. */
  tools: ReactNode;
};

/** Requests that were followed: a rule that is selected again must not take the focus from the list. */
const followed = new WeakSet<NameWanted>();

/** The head of a rule: name, description toggle, pause and activate, further buttons. */
export function RuleHead({ rule, limits, name, descriptionHint, nameWanted, onChange, tools }: RuleHeadProps) {
  const [described, setDescribed] = useState(rule.description !== '');
  const descriptionId = useId();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (nameWanted?.ruleId !== rule.id || followed.has(nameWanted)) return;
    followed.add(nameWanted);
    input.current?.focus();
  }, [nameWanted, rule.id]);
  return (
    <>
      <div className={classes.head}>
        <TextInput
          ref={input}
          className={classes.headname}
          label="Name"
          required
          maxLength={limits.name}
          {...oneLine(rule.name, (text) => onChange({ name: text }))}
          error={name.error}
          description={name.hint}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
        />
        <div className={classes.headtools}>
          <Switch
            label="Aktiv"
            checked={rule.active}
            onChange={({ currentTarget }) => onChange({ active: currentTarget.checked })}
          />
          <ActionIcon
            variant={described ? 'light' : 'subtle'}
            size={36}
            aria-label="Beschreibung"
            title="Beschreibung"
            aria-expanded={described}
            aria-controls={described ? descriptionId : undefined}
            onClick={() => setDescribed(!described)}
          >
            <IconNote size={18} aria-hidden />
          </ActionIcon>
          {tools}
        </div>
      </div>
      {described && (
        <Textarea
          id={descriptionId}
          label="Beschreibung"
          placeholder="Wozu dient diese Regel?"
          classNames={{ input: classes.description }}
          maxLength={limits.description}
          value={rule.description}
          description={descriptionHint}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          onChange={({ currentTarget }) => onChange({ description: currentTarget.value })}
        />
      )}
    </>
  );
}

type HeadToolProps = { label: string; icon: IconComponent; danger?: boolean; onClick: () => void };

export function HeadTool({ label, icon: Icon, danger = false, onClick }: HeadToolProps) {
  return (
    <ActionIcon
      variant="subtle"
      size={36}
      className={danger ? classes.delete : undefined}
      aria-label={label}
      title={label}
      onClick={onClick}
    >
      <Icon size={18} aria-hidden />
    </ActionIcon>
  );
}
