export const words = {
	arms: {
		en: 'Chance alone draws, on each device, which of two disguises it uses; the site sees which. Half of all get one that changes more. What is said here is of the other one, so it holds for you whichever is drawn. So the survey finds out whether devices disguise as they should.',
		'zh-hans':
			'每台设备仅凭随机抽取使用两种伪装中的哪一种，网站会看到是哪一种。一半的设备使用改动更多的那一种。这里所说的是另一种，因此无论抽中哪一种，对您都成立。这样，调查就能知道设备是否按应有的方式伪装。',
	},
	weaker: {
		en: 'Chance drew the weaker of the two disguises for you: the one of which the first page spoke.',
		'zh-hans': '您被随机抽中两种伪装中较弱的一种，即首页所说的那一种。',
	},
	stronger: {
		en: 'Chance drew the stronger of the two disguises for you.',
		'zh-hans': '您被随机抽中两种伪装中较强的一种。',
	},
	lot: {
		en: 'Once you begin, chance alone draws {share} of all people, who are asked to answer directly, without a disguise. You read it if you are drawn, before the first question, and may decline. So the survey finds out whether the disguise changes what people say.',
		'zh-hans':
			'开始后，仅凭随机抽取 {share} 的人，请他们不加伪装、直接回答。如果您被抽中，您会在第一个问题之前读到，并可以拒绝。这样，调查就能知道伪装是否会改变人们的回答。',
	},
	anchor: {
		en: 'Of one question it is known from elsewhere how many people say what: “{question}” What is stored is compared with that, so that devices which do not disguise are noticed.',
		'zh-hans': '有一个问题的回答比例可从别处得知：“{question}” 所存的内容会与之比较，以便发现不做伪装的设备。',
	},
	title: {
		en: 'You were drawn: would you answer directly?',
		'zh-hans': '您被抽中：您愿意直接回答吗？',
	},
	asked: {
		en: 'Chance drew you, on this device. We ask you to answer directly: your answers are then stored as you give them, without a disguise.',
		'zh-hans': '您在此设备上被随机抽中。我们请您直接回答：您的回答将按原样存储，不加伪装。',
	},
	why: {
		en: 'Your answers and those of others, with and without a disguise, show whether it changes what people say.',
		'zh-hans': '将被抽中者的直接回答与其他人的伪装回答对照，就能看出伪装是否会改变人们的回答。',
	},
	free: {
		en: 'You need not. What is stored says whether your answers are disguised, and not that you were drawn; so nobody can tell that you declined. A direct answer has no protection by the disguise.',
		'zh-hans':
			'您可以不这样做。所存的内容只说明您的回答是否经过伪装，并不说明您是否被抽中；因此没有人能知道您拒绝了。直接的回答不受伪装保护。',
	},
};
