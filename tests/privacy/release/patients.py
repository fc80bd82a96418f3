"""A table that everybody knows."""

# Figure 1 of the notes: eleven patients in classes of two and three (Sweeney 2002).
FIGURE_1 = """Race,Birth,Gender,ZIP,Problem
Black,1965,m,0214*,short breath
Black,1965,m,0214*,chest pain
Black,1965,f,0213*,hypertension
Black,1965,f,0213*,hypertension
Black,1964,f,0213*,obesity
Black,1964,f,0213*,chest pain
White,1964,m,0213*,chest pain
White,1964,m,0213*,obesity
White,1964,m,0213*,short breath
White,1967,m,0213*,chest pain
White,1967,m,0213*,chest pain
"""
