import {wordsOf} from '../words.js';

export const words = wordsOf(`
arms|Each device uses one of two disguises at random, and the site sees which. Half of the devices get one that changes more. The figures here are for the other one, so they hold for you with either. This shows whether devices disguise as they should.|每台设备仅凭随机抽取使用两种伪装中的哪一种，网站会看到是哪一种。一半的设备使用改动更多的那一种。这里所说的是另一种，因此无论抽中哪一种，对您都成立。这样，调查就能知道设备是否按应有的方式伪装。
weaker|Your device chose the weaker disguise at random: the one that the first page described.|您被随机抽中两种伪装中较弱的一种，即首页所说的那一种。
stronger|Your device chose the stronger disguise at random.|您被随机抽中两种伪装中较强的一种。
lot|When you begin, your device draws at random. {share} of all people are drawn and asked to answer directly, without a disguise. If you are drawn, you see this before the first question and may decline. This shows whether the disguise changes what people say.|开始后，仅凭随机抽取 {share} 的人，请他们不加伪装、直接回答。如果您被抽中，您会在第一个问题之前读到，并可以拒绝。这样，调查就能知道伪装是否会改变人们的回答。
anchor|Stored answers to one question are compared with shares that are known from elsewhere. This shows devices that do not disguise. The question: “{question}”|有一个问题的回答比例可从别处得知，所存的内容会与之比较，以便发现不做伪装的设备。这个问题是：“{question}”
title|You were drawn: would you answer directly?|您被抽中：您愿意直接回答吗？
asked|This device drew you at random. We ask you to answer directly. Your answers are then stored as you give them, without a disguise.|您在此设备上被随机抽中。我们请您直接回答：您的回答将按原样存储，不加伪装。
why|Answers with and without a disguise show whether it changes what people say.|将被抽中者的直接回答与其他人的伪装回答对照，就能看出伪装是否会改变人们的回答。
free|You need not. The site stores whether your answers are disguised, but not that you were drawn. So nobody can tell that you declined. A direct answer is not protected by the disguise.|您可以不这样做。所存的内容只说明您的回答是否经过伪装，并不说明您是否被抽中；因此没有人能知道您拒绝了。直接的回答不受伪装保护。
`);
