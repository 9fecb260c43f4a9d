import IconCopy from 'virtual:icons/copy';
import IconShare3 from 'virtual:icons/share-3';
import IconTrash from 'virtual:icons/trash';
import type { ReactNode } from 'react';
import type { RuleEffect } from '#shared/rules/effect.ts';
import { RULE_LIMITS, type Rule } from '#shared/rules/schema.ts';
import { HeadTool, type NameWanted, PausedBanner, RuleHead } from '#client/fields/rule-list/rule-head.tsx';
import { Actions } from './actions.tsx';
import { Conditions } from './conditions.tsx';
import type { Notes } from '#client/screens/rules/rule-notes.ts';
import classes from '#client/screens/rules/rules.module.css';
import type { Live } from '#client/use-live.ts';

export type RuleEditorProps = {
  rule: Rule;
  notes: Notes;
  effect: Live<RuleEffect>;
  /** Shown above the sentence: the findings of the check. */
  notices?: ReactNode;
  mayEdit: boolean;
  nameWanted: NameWanted | null;
  /** RUL-10: a save without a name was attempted. */
  nameMissing: boolean;
  onChange: (rule: Rule) => void;
  onCopy: () => void;
  onCopyElsewhere: () => void;
  onDelete: () => void;
};

/** Target of the focus if the focused element is removed. */
export const editorId = 'regel';

/** RUL-02: one rule as a sentence: wenn … und …, dann … und … */
export function RuleEditor(props: RuleEditorProps) {
  const { rule, notes, effect, notices, mayEdit, onChange } = props;
  return (
    <section id={editorId} className={`k-card ${classes.rulecard}`} aria-label="Regel bearbeiten" tabIndex={-1}>
      <fieldset disabled={!mayEdit} className={classes.fields}>
        {!rule.active && <PausedBanner onActivate={() => onChange({ ...rule, active: true })} mayEdit={mayEdit} />}
        {notices}
        <Head {...props} />
        <Conditions rule={rule} notes={notes} effect={effect} mayEdit={mayEdit} onChange={onChange} />
        <hr className={classes.divider} />
        <Actions rule={rule} notes={notes} mayEdit={mayEdit} onChange={onChange} />
      </fieldset>
    </section>
  );
}

function Head(props: RuleEditorProps) {
  const { rule, notes, mayEdit, nameWanted, nameMissing, onChange, onCopy, onCopyElsewhere, onDelete } = props;
  // A missing name is an error only after an attempted save.
  const refused = rule.name.trim() === '' ? undefined : notes['name']?.error;
  return (
    <RuleHead
      rule={rule}
      limits={RULE_LIMITS}
      name={{ error: nameMissing ? 'Bitte geben Sie einen Namen ein.' : refused, hint: notes['name']?.hint }}
      descriptionHint={notes['description']?.hint}
      nameWanted={nameWanted}
      onChange={(part) => onChange({ ...rule, ...part })}
      tools={
        mayEdit && (
          <>
            <HeadTool label="Regel kopieren" icon={IconCopy} onClick={onCopy} />
            <HeadTool label="In anderen Katalog oder Export kopieren" icon={IconShare3} onClick={onCopyElsewhere} />
            <HeadTool label="Regel löschen" icon={IconTrash} danger onClick={onDelete} />
          </>
        )
      }
    />
  );
}
