/** A module's own words, a line each: a key and its text in each language of the interface. */
export const wordsOf = lines =>
	Object.fromEntries(
		lines
			.trim()
			.split('\n')
			.map(line => line.split('|'))
			.map(([key, en, chinese]) => [key, {en, 'zh-hans': chinese}]),
	);
