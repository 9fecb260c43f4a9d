import { SecretDialog } from '#client/ui/secret-dialog.tsx';

/** A link that could not be sent by e-mail: for whom, why, and how long it is valid. */
export type HandedLink = { title: string; link: string; problem: string; hours: string };

/** Shows the link once, to be handed over by a safe channel. */
export function LinkDialog({ title, link, problem, hours, onClose }: HandedLink & { onClose: () => void }) {
  return (
    <SecretDialog title={title} secret={link} kind="link" onClose={onClose}>
      {problem} Geben Sie den Link auf sicherem Weg weiter. Er gilt einmal und {hours}.
    </SecretDialog>
  );
}
