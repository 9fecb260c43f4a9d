import type { Rule } from '#shared/rules/schema.ts';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { CopyDialog } from '#client/screens/rules/copy/copy-dialog.tsx';
import { nameOf } from './rule-changes.ts';
import type { RuleScope } from './rule-scope.ts';
import type { useRules } from './use-rules.ts';

/** An action on a rule that opens a dialog first. */
export type RuleDialog = { kind: 'delete' | 'copy'; rule: Rule };

type RuleDialogsProps = {
  scope: RuleScope;
  form: ReturnType<typeof useRules>;
  pending: RuleDialog | null;
  dirty: boolean;
  onClose: () => void;
};

/** The dialogs of the screen: delete (RUL-08) and copy elsewhere. */
export function RuleDialogs({ scope, form, pending, dirty, onClose }: RuleDialogsProps) {
  const deleting = pending?.kind === 'delete' ? pending.rule : null;
  return (
    <>
      {pending?.kind === 'copy' && <CopyDialog scope={scope} rule={pending.rule} unsaved={dirty} onClose={onClose} />}
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
        „{deleting === null ? '' : nameOf(deleting)}“{' '}
        {form.editor.stored.some(({ id }) => id === deleting?.id)
          ? 'wird sofort gelöscht. Im Verlauf bleibt sie und lässt sich zurückholen.'
          : 'wurde noch nicht gespeichert und verschwindet ganz; im Verlauf steht sie nicht.'}
      </ConfirmDialog>
    </>
  );
}
