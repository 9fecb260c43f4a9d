import { ruleListChanges } from '#shared/rules/difference.ts';
import { ruleName, ruleSentence } from '#shared/rules/sentences.ts';
import type { Rule } from '#shared/rules/schema.ts';
import { ConflictDialog, type RuleWords } from '#client/editor/conflict-dialog.tsx';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { CopyDialog } from '#client/screens/rules/copy/copy-dialog.tsx';
import { nameOf } from './rule-changes.ts';
import type { RuleScope } from './rule-scope.ts';
import type { useRules } from './use-rules.ts';

/** What somebody wants to do with a rule that needs a question first. */
export type Asked = { kind: 'delete' | 'copy'; rule: Rule };

type RuleDialogsProps = {
  scope: RuleScope;
  form: ReturnType<typeof useRules>;
  asked: Asked | null;
  dirty: boolean;
  onClose: () => void;
};

const words: RuleWords<Rule> = { changes: ruleListChanges, name: ruleName, version: ruleSentence };

/** The questions of the screen: delete (RUL-08), copy elsewhere, and what to do about somebody else's save. */
export function RuleDialogs({ scope, form, asked, dirty, onClose }: RuleDialogsProps) {
  const deleting = asked?.kind === 'delete' ? asked.rule : null;
  return (
    <>
      {form.foreign !== null && (
        <ConflictDialog
          words={words}
          base={form.saved}
          mine={form.rules}
          foreign={form.foreign}
          onResolve={(resolution) => void form.resolve(resolution)}
          onClose={form.closeForeign}
        />
      )}
      {asked?.kind === 'copy' && <CopyDialog scope={scope} rule={asked.rule} unsaved={dirty} onClose={onClose} />}
      <ConfirmDialog
        opened={deleting !== null}
        question="Ausgewählte Regel wirklich löschen?"
        confirm="Löschen"
        danger
        onClose={onClose}
        onConfirm={async () => {
          if (deleting !== null) await form.remove(deleting);
          onClose();
        }}
      >
        „{deleting === null ? '' : nameOf(deleting)}“ wird sofort gelöscht.
      </ConfirmDialog>
    </>
  );
}
