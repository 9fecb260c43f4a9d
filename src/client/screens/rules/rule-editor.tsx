import { ActionIcon, Button, Switch, Textarea, TextInput } from '@mantine/core';
import { IconCopy, IconNote, IconPlayerPause, IconPlayerPlay, IconShare3, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import type { RuleEffect } from '#shared/rule-effect.ts';
import { RULE_LIMITS, type Rule } from '#shared/rules.ts';
import { Actions } from './actions.tsx';
import { Conditions } from './conditions.tsx';
import type { NoteAt } from './rule-notes.ts';
import classes from './rules.module.css';
import type { Live } from '../../use-live.ts';
import type { NameWanted } from './use-rules.ts';

export type RuleEditorProps = {
  rule: Rule;
  noteAt: NoteAt;
  effect: Live<RuleEffect>;
  /** Stands above the sentence: what the check found. */
  notices?: ReactNode;
  mayEdit: boolean;
  nameWanted: NameWanted | null;
  /** RUL-10: a save was tried without a name. */
  nameMissing: boolean;
  onChange: (rule: Rule) => void;
  onCopy: () => void;
  onCopyElsewhere: () => void;
  onDelete: () => void;
};

/** Where the focus goes when what had it is gone. */
export const editorId = 'regel';

/** RUL-02: one rule as a sentence: wenn … und …, dann … und … */
export function RuleEditor(props: RuleEditorProps) {
  const { rule, noteAt, effect, notices, mayEdit, onChange } = props;
  return (
    <section id={editorId} className={`k-card ${classes.rulecard}`} aria-label="Regel bearbeiten" tabIndex={-1}>
      <fieldset disabled={!mayEdit} className={classes.fields}>
        {!rule.active && <PausedBanner onActivate={() => onChange({ ...rule, active: true })} mayEdit={mayEdit} />}
        {notices}
        <Head {...props} />
        <Conditions rule={rule} noteAt={noteAt} effect={effect} mayEdit={mayEdit} onChange={onChange} />
        <hr className={classes.divider} />
        <Actions rule={rule} noteAt={noteAt} mayEdit={mayEdit} onChange={onChange} />
      </fieldset>
    </section>
  );
}

/** GEN-03. */
function PausedBanner({ onActivate, mayEdit }: { onActivate: () => void; mayEdit: boolean }) {
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

function Head(props: RuleEditorProps) {
  const { rule, noteAt, mayEdit, nameWanted, nameMissing, onChange, onCopy, onCopyElsewhere, onDelete } = props;
  const [described, setDescribed] = useState(rule.description !== '');
  const descriptionId = useId();
  const name = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (nameWanted?.ruleId === rule.id) name.current?.focus();
  }, [nameWanted, rule.id]);
  // A name that is not there yet is no error before somebody wants to save.
  const refused = rule.name.trim() === '' ? undefined : noteAt('name').error;
  const nameError = nameMissing ? 'Bitte geben Sie einen Namen ein.' : refused;
  return (
    <>
      <div className={classes.head}>
        <TextInput
          ref={name}
          className={classes.headname}
          label="Name"
          required
          maxLength={RULE_LIMITS.name}
          value={rule.name}
          error={nameError}
          description={noteAt('name').hint}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          onChange={({ currentTarget }) => onChange({ ...rule, name: currentTarget.value })}
        />
        <div className={classes.headtools}>
          <Switch
            label="Aktiv"
            checked={rule.active}
            onChange={({ currentTarget }) => onChange({ ...rule, active: currentTarget.checked })}
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
          {mayEdit && (
            <>
              <ActionIcon
                variant="subtle"
                size={36}
                aria-label="Regel kopieren"
                title="Regel kopieren"
                onClick={onCopy}
              >
                <IconCopy size={18} aria-hidden />
              </ActionIcon>
              <ActionIcon
                variant="subtle"
                size={36}
                aria-label="In anderen Katalog oder Export kopieren"
                title="In anderen Katalog oder Export kopieren"
                onClick={onCopyElsewhere}
              >
                <IconShare3 size={18} aria-hidden />
              </ActionIcon>
              <ActionIcon
                variant="subtle"
                size={36}
                className={classes.delete}
                aria-label="Regel löschen"
                title="Regel löschen"
                onClick={onDelete}
              >
                <IconTrash size={18} aria-hidden />
              </ActionIcon>
            </>
          )}
        </div>
      </div>
      {described && (
        <Textarea
          id={descriptionId}
          label="Beschreibung"
          placeholder="Wozu dient diese Regel?"
          classNames={{ input: classes.description }}
          maxLength={RULE_LIMITS.description}
          value={rule.description}
          description={noteAt('description').hint}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          onChange={({ currentTarget }) => onChange({ ...rule, description: currentTarget.value })}
        />
      )}
    </>
  );
}
