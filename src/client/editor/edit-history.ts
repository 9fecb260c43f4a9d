/** Edits of one text that follow each other within this time are one step, so that undo takes back what was typed. */
const pause = 800;
/** Steps that are kept; the states share what they have in common. */
const most = 200;

/** Where something is being typed, and when (milliseconds of any clock). */
export type Typing = { place: string; at: number };
type Step<State, Mark> = { readonly state: State; readonly mark: Mark };

/** A form's states in a row: what was, what is, and what was undone. A mark says what an edit was about. */
export type EditHistory<State, Mark> = {
  readonly past: readonly Step<State, Mark>[];
  readonly present: State;
  readonly future: readonly Step<State, Mark>[];
  readonly typing: Typing | null;
};

export function startHistory<State, Mark>(present: State): EditHistory<State, Mark> {
  return { past: [], present, future: [], typing: null };
}

/** Takes an edit over. Without `typing`, or after a pause or in another place, it is a step of its own. */
export function recordEdit<State, Mark>(
  history: EditHistory<State, Mark>,
  next: State,
  mark: Mark,
  typing: Typing | null = null,
): EditHistory<State, Mark> {
  const { past, present, typing: last } = history;
  if (next === present) return history;
  const goesOn = typing !== null && last !== null && typing.place === last.place && typing.at - last.at < pause;
  const steps = goesOn ? past : [...past, { state: present, mark }].slice(-most);
  return { past: steps, present: next, future: [], typing };
}

/** What is typed from now on is a step of its own: after a save, for example. */
export function endTyping<State, Mark>(history: EditHistory<State, Mark>): EditHistory<State, Mark> {
  return history.typing === null ? history : { ...history, typing: null };
}

/** The same steps with every state changed alike, for an addition that belongs to none of the edits. */
export function everyState<State, Mark>(
  history: EditHistory<State, Mark>,
  change: (state: State) => State,
): EditHistory<State, Mark> {
  const every = ({ state, mark }: Step<State, Mark>) => ({ state: change(state), mark });
  const [past, future] = [history.past.map(every), history.future.map(every)];
  return { ...history, past, present: change(history.present), future };
}

type Moved<State, Mark> = { history: EditHistory<State, Mark>; mark: Mark };

/** One step back, with the mark of the edit that is undone; undefined where there is none. */
export function undoEdit<State, Mark>({
  past,
  present,
  future,
}: EditHistory<State, Mark>): Moved<State, Mark> | undefined {
  const step = past.at(-1);
  if (step === undefined) return undefined;
  const { state, mark } = step;
  const rest = { past: past.slice(0, -1), future: [...future, { state: present, mark }] };
  return { history: { ...rest, present: state, typing: null }, mark };
}

/** One step forward again, with the mark of the edit that is done anew; undefined where nothing was undone. */
export function redoEdit<State, Mark>({
  past,
  present,
  future,
}: EditHistory<State, Mark>): Moved<State, Mark> | undefined {
  const step = future.at(-1);
  if (step === undefined) return undefined;
  const { state, mark } = step;
  const rest = { past: [...past, { state: present, mark }], future: future.slice(0, -1) };
  return { history: { ...rest, present: state, typing: null }, mark };
}
