import { SecretDialog } from '#client/ui/secret-dialog.tsx';

/** A link that could not go out by e-mail: whose, why, and how long it holds. */
export type HandedLink = { title: string; link: string; problem: string; hours: string };

/** Shows it once, to be handed over on a safe way. */
export function LinkDialog({ title, link, problem, hours, onClose }: HandedLink & { onClose: () => void }) {
  return (
    <SecretDialog title={title} secret={link} kind="link" onClose={onClose}>
      {problem} Geben Sie den Link auf sicherem Weg weiter. Er gilt einmal und {hours}.
    </SecretDialog>
  );
}
