import type { ItemsQuery } from '#client/screens/items/items-query.ts';

let answers: (query: ItemsQuery) => boolean = () => false;

/** Registers which queries the shown grid answers from its loaded items; returns a function that ends this. */
export function answerLocally(canAnswer: (query: ItemsQuery) => boolean): () => void {
  answers = canAnswer;
  return () => {
    if (answers === canAnswer) answers = () => false;
  };
}

/** Tells whether the shown grid needs no server for a query, for example when the user goes back to an earlier search. */
export const isAnsweredLocally = (query: ItemsQuery): boolean => answers(query);
