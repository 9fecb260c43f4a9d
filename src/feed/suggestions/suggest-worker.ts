import { answerFromThread } from '#platform/run-in-thread.ts';
import { answerSuggestions, SuggestionQuestion } from './answer.ts';

// Finds suggestions on a thread of its own: to compare with 200,000 targets takes half a minute.
await answerFromThread((data) => answerSuggestions(SuggestionQuestion.parse(data)));
