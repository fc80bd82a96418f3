// Merkle trees as in RFC 6962, section 2.1; surveys/domain/closed/statement.py is the twin on the server.

const hash = async bytes => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));

const joined = (mark, left, right) => {
	const bytes = new Uint8Array(1 + left.length + right.length);
	bytes[0] = mark;
	bytes.set(left, 1);
	bytes.set(right, 1 + left.length);
	return hash(bytes);
};

const NOTHING = new Uint8Array();

/** A leaf is hashed with a 0 before it and a node with a 1, so that no node can be shown as a leaf. */
export const leaf = data => joined(0, data, NOTHING);

/** The root over hashes of leaves, or over the roots of pieces: neighbours are paired, an odd last one rises. */
export async function root(hashes) {
	if (!hashes.length) return hash(NOTHING);
	let level = hashes;
	while (level.length > 1) {
		const pairs = [];
		for (let left = 0; left + 1 < level.length; left += 2) pairs.push(joined(1, level[left], level[left + 1]));
		level = [...(await Promise.all(pairs)), ...(level.length % 2 ? level.slice(-1) : [])];
	}
	return level[0];
}
